package io.belay.etcd;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.nio.charset.StandardCharsets;

/** Makes the users of an etcd, as its {@code etcdctl} does. */
final class Users {
    private final Auth auth;

    Users(Client client) {
        auth = client.getAuthClient();
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    /** Adds a user, with a role of that name. */
    void add(String user, String password) {
        auth.userAdd(bytes(user), bytes(password)).join();
        auth.roleAdd(bytes(user)).join();
        auth.userGrantRole(bytes(user), bytes(user)).join();
    }

    /** The same, with this right on all keys that begin with {@code belay/}. */
    void add(String user, String password, Permission.Type right) {
        add(user, password);
        auth.roleGrantPermission(bytes(user), bytes("belay/"), bytes("belay0"), right)
                .join();
    }

    /** Takes that right away again. */
    void bar(String user) {
        auth.roleRevokePermission(bytes(user), bytes("belay/"), bytes("belay0")).join();
    }

    /** From now on everybody logs in. */
    void enable() {
        add("root", Told.SECRET + "-root");
        auth.authEnable().join();
    }

    void changePassword(String user, String password) {
        auth.userChangePassword(bytes(user), bytes(password)).join();
    }
}
