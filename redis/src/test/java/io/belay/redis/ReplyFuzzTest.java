package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Fuzz;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random replies of servers: each is understood, or refused by the exception that its reader knows, at once and without
 * taking much memory. A round that fails names its seed; {@code -Dbelay.seed} gives it again, and
 * {@code -Dbelay.fuzz=100} runs a hundred times as many.
 */
class ReplyFuzzTest {
    private static final Settings SETTINGS = Settings.parse("redis://:geheim@127.0.0.1:6379");
    private static final Address ASKED = new Address("127.0.0.1", 6379);
    private static final ClaimId ID = ClaimId.of(7, 1);
    private static final long TIME = 1_700_000_000_000_000L;
    private static final Owner OWNER = Owner.of("client", "host", 7, "thread");

    private static ByteBuffer answer() {
        ByteBuffer out = ByteBuffer.allocate(Wire.ANSWER);
        out.putLong(TIME).put((byte) 0).putLong(TIME).putLong(TIME + 30_000_000);
        out.putInt(0).putInt(0).putLong(TIME + 30_000_000).putInt(0);
        return out.put((byte) 0).putInt(0).putLong(0).putInt(0);
    }

    private static byte[] record() {
        ByteBuffer out = ByteBuffer.allocate(400);
        out.put((byte) 'b').putLong(TIME / 1000 + 110_000).putLong(TIME).put((byte) '2');
        out.putInt(Resource.WHOLE).put((byte) 0).putInt(1).putInt(2).putInt(1);
        out.putLong(0).putLong(Long.MAX_VALUE).putInt(55 + 32);
        id(out).putLong(TIME + 60_000_000);
        for (int i = 0; i < 2; i++) {
            id(out).putInt(Resource.WHOLE).putLong(TIME - 1 + i).putLong(TIME + 30_000_000);
            out.putLong(0).put((byte) 0).putInt(0).putLong(TIME).putInt(0).put((byte) 0);
            owner(out);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private static ByteBuffer id(ByteBuffer out) {
        return out.put(Wire.hex(ID.client()).getBytes(StandardCharsets.US_ASCII))
                .putLong(ID.number());
    }

    private static void owner(ByteBuffer out) {
        byte[] text = OWNER.client().getBytes(StandardCharsets.US_ASCII);
        out.putShort((short) (3 * (1 + text.length) + 8));
        out.put((byte) text.length).put(text).put((byte) text.length).put(text);
        out.putLong(7).put((byte) text.length).put(text);
    }

    private static byte[] alone() {
        Request.Enter enter =
                Request.Enter.of("x", ID, ClaimSpec.whole(30_000_000).withIfFree(true), 0, OWNER);
        byte[] argument = Wire.encode(enter);
        ByteBuffer out = ByteBuffer.allocate(17 + argument.length);
        return out.put((byte) 'b')
                .putLong(TIME / 1000 + 110_000)
                .putLong(TIME)
                .put(argument)
                .array();
    }

    @Test
    void theValidOnesAreValid() {
        assertThat(Wire.answer(answer().flip(), 1).state()).isEqualTo(Answer.State.GRANTED);
        assertThat(Records.read(ByteBuffer.wrap(record())).orElseThrow().claims())
                .hasSize(2);
        assertThat(Records.read(ByteBuffer.wrap(alone())).orElseThrow().holders())
                .extracting(Claim::id)
                .containsExactly(ID);
    }

    @Test
    void answers() {
        byte[] valid = answer().array();
        Fuzz.rounds(5_000, random -> {
            try {
                Answer answer = Wire.answer(ByteBuffer.wrap(Fuzz.bytes(random, valid)), 1);
                if (answer.state() == Answer.State.GRANTED) {
                    assertThat(answer.sequence()).isPositive();
                }
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("not an answer");
            }
        });
    }

    /** Replies to three renewals, the second of which failed. */
    @Test
    void chunks() {
        byte[] error = "WRONGTYPE Operation".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(2 * Wire.ANSWER + 13 + error.length);
        out.put(answer().flip()).putLong(0).put((byte) 255).putInt(error.length).put(error);
        byte[] valid = out.put(answer().flip()).array();
        Outputs.Renewed renewed = renewed(valid);
        assertThat(renewed.answers()).hasSize(3);
        assertThat(renewed.answers().get(2)).isEqualTo(Wire.answer(answer().flip(), 1));
        assertThat(renewed.errors()).isEqualTo(Map.of(1, "WRONGTYPE Operation"));
        Fuzz.rounds(5_000, random -> {
            Outputs.Renewed read = renewed(Fuzz.bytes(random, valid));
            assertThat(read.answers()).hasSize(3);
            for (int i = 0; i < 3; i++) {
                assertThat(read.answers().get(i) == null)
                        .isEqualTo(read.errors().containsKey(i));
            }
        });
    }

    private static Outputs.Renewed renewed(byte[] reply) {
        CommandOutput<byte[], byte[], Outputs.Renewed> output = Outputs.renewed(3, 1);
        output.set(ByteBuffer.wrap(reply));
        assertThat(output.hasError()).isFalse();
        return output.get();
    }

    @Test
    void records() {
        byte[][] valid = {record(), alone()};
        Fuzz.rounds(5_000, random -> {
            try {
                Records.read(ByteBuffer.wrap(Fuzz.bytes(random, valid[random.nextInt(2)])));
            } catch (Records.OtherVersion e) {
                assertThat(e).hasMessage("a record of another version");
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).startsWith("not a re");
            }
        });
    }

    @Test
    void pushes() {
        ByteBuffer out = ByteBuffer.allocate(60);
        id(out).putLong(TIME).put((byte) 1).putLong(TIME).putLong(TIME + 2_000_000);
        byte[] valid =
                out.put("belay:stock".getBytes(StandardCharsets.US_ASCII)).array();
        Fuzz.rounds(5_000, random -> {
            try {
                Wire.push(Fuzz.bytes(random, valid), SETTINGS, ID.client(), 1);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("not a");
            }
        });
    }

    /** A time alone is what the short way of an enter replies, and a nought of a leave; for all else both are rubbish. */
    @Test
    void shortRepliesGrantNothingThatTheyCannotMean() {
        Request.Enter enter =
                Request.Enter.of("x", ID, ClaimSpec.whole(30_000_000).withIfFree(true), 0, OWNER);
        assertThat(read(enter, time(TIME))).isNull();
        assertThat(read(Request.Leave.of("x", ID, false), new byte[] {'0'})).isNull();
        for (long rubbish : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            assertThat(read(enter, time(rubbish))).as("%s", rubbish).startsWith("BELAYRECORD ");
        }
        assertThat(read(Request.Leave.of("x", ID, false), new byte[] {'1'})).startsWith("BELAYRECORD ");
        assertThat(read(Request.Renew.of("x", ID, TIME, 1, 0, false), time(TIME)))
                .startsWith("BELAYRECORD ");
        assertThat(read(Request.Reweight.of("x", ID, TIME, 0, 1), new byte[] {'0'}))
                .startsWith("BELAYRECORD ");
        assertThat(read(Request.Fix.of("x", ID, TIME, 0, 1), new byte[] {'0'})).startsWith("BELAYRECORD ");
        CommandOutput<byte[], byte[], Answer> number = Outputs.answer(enter, 1);
        number.set(TIME);
        assertThat(number.getError()).startsWith("BELAYREPLY ");
    }

    private static byte[] time(long micros) {
        return ByteBuffer.allocate(Long.BYTES).putLong(micros).array();
    }

    private static String read(Request request, byte[] reply) {
        CommandOutput<byte[], byte[], Answer> output = Outputs.answer(request, 1);
        output.set(ByteBuffer.wrap(reply));
        return output.getError();
    }

    /** What no script replies: nothing, a double, a flag, a list. */
    @Test
    void repliesOfOtherKinds() {
        List<CommandOutput<byte[], byte[], ?>> outputs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            outputs.add(Outputs.answer(Request.Evict.of("x"), 1));
            outputs.add(Outputs.renewed(1, 1));
            outputs.add(Outputs.snapshot());
            outputs.add(Outputs.number());
        }
        for (int i = 0; i < outputs.size(); i++) {
            CommandOutput<byte[], byte[], ?> output = outputs.get(i);
            switch (i / 4) {
                case 0 -> output.set((ByteBuffer) null);
                case 1 -> output.set(1.5);
                case 2 -> output.set(true);
                case 3 -> output.setSingle(ByteBuffer.wrap(new byte[] {'O', 'K'}));
                case 4 -> output.setBigNumber(ByteBuffer.wrap(new byte[] {'1'}));
                default -> output.multi(0);
            }
            assertThat(output.getError())
                    .as("reply %s of output %s", i / 4, i % 4)
                    .startsWith("BELAYREPLY ");
        }
    }

    private static Object element(Random random, int depth) {
        return switch (random.nextInt(depth > 2 ? 6 : 7)) {
            case 0 -> (long) random.nextInt(20_000);
            case 1 -> random.nextLong();
            case 2 -> -1L;
            case 3 -> "127.0.0.1".getBytes(StandardCharsets.US_ASCII);
            case 4 -> Fuzz.text(random, "127.0.0.1").getBytes(StandardCharsets.UTF_8);
            case 5 -> null;
            default -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(element(random, depth + 1));
                }
                yield list;
            }
        };
    }

    private static List<Object> nodes(Random random) {
        List<Object> node = new ArrayList<>(List.of("127.0.0.1".getBytes(StandardCharsets.US_ASCII), 7000L));
        if (random.nextBoolean()) {
            node.set(random.nextInt(2), element(random, 1));
        }
        return node;
    }

    @Test
    void slots() {
        Fuzz.rounds(5_000, random -> {
            List<Object> reply = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                List<Object> range =
                        new ArrayList<>(List.of(0L, (long) random.nextInt(ClusterSlots.COUNT), nodes(random)));
                if (random.nextInt(3) == 0) {
                    range.set(random.nextInt(3), element(random, 1));
                }
                reply.add(random.nextInt(10) == 0 ? element(random, 0) : range);
            }
            try {
                ClusterSlots.of(reply, ASKED).masters().forEach(ReplyFuzzTest::assertUsable);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("not a list of slots");
            }
        });
    }

    private static void assertUsable(Address address) {
        assertThat(address.host()).isNotEmpty();
        Settings at = Settings.parse("redis-cluster://h").at(address);
        assertThat(at.uri(at.credentials()).getPort()).isEqualTo(address.port());
    }

    @Test
    void redirects() {
        List<String> valid = List.of("MOVED 1 127.0.0.1:7000", "ASK 16383 :7000", "MOVED 5 ::1:7000,extra");
        Fuzz.rounds(5_000, random -> {
            Redirect redirect = Redirect.of(Fuzz.text(random, valid.get(random.nextInt(3))), ASKED);
            if (redirect != null) {
                assertUsable(redirect.to());
            }
        });
    }

    @Test
    void info() {
        String valid = "redis_version:7.0.15\r\nrun_id:0123456789abcdef0123\r\nserver_time_usec:1700000000000000\r\n"
                + "role:master\r\nredis_mode:standalone";
        Fuzz.rounds(5_000, random -> {
            ServerInfo info = new ServerInfo(Fuzz.text(random, valid));
            assertThat(info.run()).isNotZero();
            assertThat(info.number("server_time_usec")).isNotNegative();
            assertThat(info.isAtLeast(7, 0) && info.isCluster() && info.isSentinel() && info.isReplica())
                    .isFalse();
        });
    }

    @Test
    void sentinels() {
        Fuzz.rounds(5_000, random -> {
            Map<String, String> told = new HashMap<>();
            told.put(Fuzz.text(random, "ip"), "127.0.0.1");
            told.put("ip", Fuzz.text(random, "127.0.0.1"));
            told.put("port", Fuzz.text(random, "7000"));
            told.put("config-epoch", Fuzz.text(random, "12"));
            List<String> address = random.nextBoolean()
                    ? List.of()
                    : List.of(Fuzz.text(random, "127.0.0.1"), Fuzz.text(random, "7000"));
            MasterInfo master = MasterInfo.of(told, address);
            if (master != null) {
                assertUsable(master.address());
                assertThat(master.epoch()).isNotNegative();
            }
        });
    }

    @Test
    void users() {
        Fuzz.rounds(5_000, random -> {
            List<Object> reply = new ArrayList<>(List.of("flags", List.of("on"), "commands", "-@all +get"));
            for (int i = random.nextInt(3); i >= 0; i--) {
                reply.set(random.nextInt(reply.size()), element(random, 0));
            }
            assertThat(AclUser.of(reply).open()).isFalse();
        });
    }

    @Test
    void errors() {
        List<String> valid = List.of(
                "ERR unknown command 'AUTH', with args beginning with: 'geheim'",
                "NOPERM this user has no permissions to run the 'geheim' command",
                "ERR Error running script (call to f_0123): @user_script:3: @user_script: 3: -OOM command not allowed",
                "ERR user_script:3: bad argument script: 0123, on @user_script:3.",
                "WRONGPASS invalid username-password pair");
        Replies replies = new Replies(SETTINGS);
        Fuzz.rounds(5_000, random -> {
            String error = Fuzz.text(random, valid.get(random.nextInt(valid.size())));
            StoreException told = replies.explain(error, random.nextBoolean() ? "x" : null);
            assertThat(told.getMessage()).startsWith("Redis at 127.0.0.1:6379 ").hasSizeLessThan(2000);
            assertThat(told.getMessage().chars().filter(Character::isISOControl))
                    .isEmpty();
            if (error.contains("geheim")) {
                assertThat(told.getMessage()).doesNotContain("geheim");
            }
        });
        assertThatThrownBy(() -> {
                    throw replies.explain("", null);
                })
                .isInstanceOf(StoreException.class);
    }
}
