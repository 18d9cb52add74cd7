package io.belay.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of a script, on its way to the server and back: by its digest, or by its text if the server lacks it. */
final class ScriptCall<T> extends AsyncCommand<byte[], byte[], T> {
    private final Link link;
    private final Scripts.Script script;
    private final byte[][] keys;
    private final byte[][] arguments;
    private final @Nullable String resource;
    private final boolean byText;
    private final Passage passage;
    /** The answer to the ASKING before it; null where none is sent. */
    private final @Nullable StatusOutput<byte[], byte[]> asked;

    /** A listener to a command's way out, which has a say in whether the command is sent again. */
    interface Passage {
        /** The passage that listens to nothing, and lets a command be sent again. */
        Passage ANY = new Passage() {};

        /** Tells that the command goes out now; called by the connection's own thread. */
        default void written() {}

        /** Returns whether the command, which was not run, may be written again, behind what was written since. */
        default boolean mayRepeat() {
            return true;
        }
    }

    /** A server's refusal to run a script of several keys; it has run nothing. It never reaches a user. */
    static final class OneKeyOnly extends RuntimeException {
        private static final long serialVersionUID = 1;

        OneKeyOnly() {
            super(null, null, false, false);
        }
    }

    ScriptCall(
            Link link,
            Scripts.Script script,
            byte[][] keys,
            byte[][] arguments,
            @Nullable String resource,
            CommandOutput<byte[], byte[], T> output,
            boolean byText,
            boolean asking,
            Passage passage) {
        super(new Command<>(
                byText ? CommandType.EVAL : CommandType.EVALSHA,
                output,
                new ScriptArguments(byText ? script.text() : script.digest(), keys, arguments)));
        this.link = link;
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
        this.resource = resource;
        this.byText = byText;
        this.passage = passage;
        asked = asking ? new StatusOutput<>(ByteArrayCodec.INSTANCE) : null;
    }

    @Override
    public void encode(ByteBuf buffer) {
        link.writes();
        passage.written();
        super.encode(buffer);
    }

    void dispatch() {
        if (asked != null) {
            link.dispatch(List.of(new Command<>(CommandType.ASKING, asked), this));
        } else {
            link.dispatch(this);
        }
    }

    @Override
    protected void completeResult() {
        try {
            take();
        } catch (Throwable e) { // as for want of memory
            link.close();
            fail(link.failures().underWay(e));
        }
    }

    private void take() {
        link.heard();
        CommandOutput<byte[], byte[], T> output = getOutput();
        if (!output.hasError()) {
            complete(output.get());
        } else if (asked != null && asked.hasError()) {
            fail(link.failures().reply(asked.getError(), resource)); // else it is sent from node to node
        } else if (!byText && output.getError().startsWith("NOSCRIPT") && passage.mayRepeat()) {
            sendByText(output);
        } else {
            Redirect redirect = link.redirect(output.getError());
            if (redirect != null) {
                fail(redirect);
            } else if (keys.length > 1 && ScriptForm.isOfKeys(output.getError())) {
                fail(new OneKeyOnly());
            } else {
                fail(link.failures().reply(output.getError(), resource));
            }
            if (Replies.isReadOnly(output.getError())) {
                link.demoted();
            }
        }
    }

    /** Fails the command by force: for Lettuce it has been completed, so Lettuce's own ways to fail it do nothing. */
    private void fail(Throwable error) {
        obtrudeException(error);
    }

    /** Sends the script's text: the server has forgotten the script, or never had it, and has run nothing. */
    private void sendByText(CommandOutput<byte[], byte[], T> output) {
        output.setError((String) null);
        ScriptCall<T> again =
                new ScriptCall<>(link, script, keys, arguments, resource, output, true, asked != null, passage);
        again.whenComplete((result, error) -> {
            if (error == null) {
                complete(result);
            } else {
                fail(error);
            }
        });
        again.dispatch();
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return super.completeExceptionally(link.failures().underWay(error));
    }

    /** Fails the command, which Lettuce gives up when the connection ends. */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        return super.completeExceptionally(link.failures().disconnected());
    }

    @Override
    public void cancel() {
        cancel(true);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
