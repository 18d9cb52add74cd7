package io.belay.simulation;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Makes production classes fit for a simulation: where they would call a clock, chance, a lock or a thread of the JDK they
 * call {@link Hooks}, before each access to what threads share they let others go on, and where a {@link Switch} says so
 * a method's body is another one.
 */
final class Weaver {
    private static final String HOOKS = "io/belay/simulation/Hooks";
    private static final String UNCURED = "io/belay/internal/time/UncuredTime";
    private static final String THREAD = "java/lang/Thread";
    private static final String SYSTEM = "java/lang/System";
    private static final String RANDOM = "java/util/concurrent/ThreadLocalRandom";
    private static final String LOCK = "java/util/concurrent/locks/ReentrantLock";
    private static final String MAP = "java/util/concurrent/ConcurrentHashMap";
    private static final String FUTURE = "java/util/concurrent/CompletableFuture";
    private static final String EXCLUSIVE = "io/belay/internal/time/StepLock";

    /** What is called instead: its class and name. A call of nothing would look like a broken promise. */
    private record Hook(String owner, String name) {
        Hook {
            Class<?> type;
            try {
                type = Class.forName(owner.replace('/', '.'), false, Weaver.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException(e);
            }
            if (Arrays.stream(type.getDeclaredMethods())
                    .noneMatch(method -> method.getName().equals(name))) {
                throw new IllegalArgumentException(owner + " has no method " + name);
            }
        }

        Hook(String name) {
            this(HOOKS, name);
        }
    }

    /** Tells whether a method that is switched off is to run as it is, all the same. */
    private static final Hook ORIGINAL = new Hook("io/belay/internal/Inside", "isOriginal");

    /** By owner, name and, where there are several, the descriptor. */
    private static final Map<String, Hook> CALLS = Map.ofEntries(
            Map.entry(SYSTEM + ".nanoTime", new Hook("nanoTime")),
            Map.entry(SYSTEM + ".currentTimeMillis", new Hook("currentTimeMillis")),
            Map.entry(RANDOM + ".current", new Hook("random")),
            Map.entry(RANDOM + ".nextLong", new Hook("nextLong")),
            Map.entry(RANDOM + ".nextInt", new Hook("nextInt")),
            Map.entry(THREAD + ".interrupted", new Hook("interruptedNow")),
            Map.entry(THREAD + ".isInterrupted", new Hook("isInterrupted")),
            Map.entry(THREAD + ".interrupt", new Hook("interrupt")),
            Map.entry(THREAD + ".yield", new Hook("yield")),
            Map.entry(THREAD + ".sleep", new Hook("sleep")),
            Map.entry(LOCK + ".lock", new Hook("lock")),
            Map.entry(LOCK + ".unlock", new Hook("unlock")),
            Map.entry(LOCK + ".newCondition", new Hook("newCondition")),
            Map.entry(MAP + ".computeIfAbsent", new Hook("computeIfAbsent")),
            Map.entry(MAP + ".computeIfPresent", new Hook("computeIfPresent")),
            Map.entry(MAP + ".compute", new Hook("compute")),
            Map.entry(FUTURE + ".runAsync(Ljava/lang/Runnable;)", new Hook("runAsync")),
            Map.entry(FUTURE + ".join", new Hook("join")),
            Map.entry(THREAD + ".isAlive", new Hook("isAlive")),
            Map.entry("java/util/concurrent/TimeUnit.timedJoin", new Hook("timedJoin")),
            Map.entry("java/util/concurrent/CountDownLatch.await", new Hook("await")),
            Map.entry(
                    "java/util/concurrent/BlockingQueue.offer(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)",
                    new Hook("offer")),
            Map.entry(EXCLUSIVE + ".acquire", new Hook(UNCURED, "acquire")),
            Map.entry(EXCLUSIVE + ".release", new Hook(UNCURED, "release")));

    /** What is made instead. */
    private static final Map<String, String> MADE = Map.of(
            THREAD,
            "io/belay/simulation/SimulatedThread",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "io/belay/simulation/SimulatedTimer");

    /** Calls of these let others go on first. */
    private static final Set<String> SHARED =
            Set.of(MAP, FUTURE, "java/util/concurrent/ConcurrentLinkedQueue", "java/util/concurrent/Executor");

    private final Set<String> volatiles;
    private final Map<String, Switch> switches;

    /**
     * @param volatiles the volatile fields of all classes, as owner and name
     * @param switches what is switched off, by owner, name and descriptor
     */
    Weaver(Set<String> volatiles, Map<String, Switch> switches) {
        this.volatiles = volatiles;
        this.switches = switches;
    }

    byte[] weave(byte[] original) {
        ClassReader reader = new ClassReader(original);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Woven(writer), 0);
        return writer.toByteArray();
    }

    private static @org.jspecify.annotations.Nullable Hook hook(String owner, String name, String descriptor) {
        Hook hook = CALLS.get(owner + "." + name);
        return hook != null
                ? hook
                : CALLS.get(owner + "." + name + descriptor.substring(0, descriptor.indexOf(')') + 1));
    }

    private final class Woven extends ClassVisitor {
        private String owner = "";

        Woven(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            owner = name;
            super.visit(version, access, name, signature, parent, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
            Switch off = switches.get(owner + "." + name + descriptor);
            if (off == null || (access & Opcodes.ACC_ABSTRACT) != 0) {
                return new Calls(next);
            }
            off.find();
            boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
            if (off.isInstead()) {
                next.visitCode();
                call(next, off, isStatic, descriptor);
                next.visitMaxs(0, 0);
                next.visitEnd();
                return null;
            }
            return new Calls(next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    Label original = new Label();
                    super.visitLdcInsn(name);
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC, ORIGINAL.owner(), ORIGINAL.name(), "(Ljava/lang/String;)Z", false);
                    super.visitJumpInsn(Opcodes.IFNE, original);
                    call(this, off, isStatic, descriptor);
                    super.visitLabel(original);
                    super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                }
            };
        }
    }

    /** Calls the other body with what the method was given, and returns what it returns. */
    private static void call(MethodVisitor code, Switch off, boolean isStatic, String descriptor) {
        int at = 0;
        if (!isStatic) {
            code.visitVarInsn(Opcodes.ALOAD, at++);
        }
        for (Type type : Type.getArgumentTypes(descriptor)) {
            code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), at);
            at += type.getSize();
        }
        code.visitMethodInsn(Opcodes.INVOKESTATIC, off.bodyOwner(), off.bodyName(), off.bodyDescriptor(), false);
        code.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
    }

    private class Calls extends MethodVisitor {
        Calls(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void point() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "point", "()V", false);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (volatiles.contains(owner + "." + name)) {
                point();
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? MADE.getOrDefault(type, type) : type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            if (name.equals("<init>") && MADE.containsKey(owner)) {
                super.visitMethodInsn(opcode, MADE.get(owner), name, descriptor, ofInterface);
                return;
            }
            Hook hook = opcode == Opcodes.INVOKESPECIAL ? null : hook(owner, name, descriptor);
            if (hook != null) {
                boolean isStatic = opcode == Opcodes.INVOKESTATIC;
                String with = isStatic ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, hook.owner(), hook.name(), with, false);
                return;
            }
            boolean shared = SHARED.contains(owner) || owner.startsWith("java/util/concurrent/atomic/");
            if (shared && !name.equals("<init>")) {
                point();
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] woven = arguments.clone();
            for (int i = 0; i < woven.length; i++) {
                if (woven[i] instanceof Handle handle && handle.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
                    woven[i] = handle(handle);
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, woven);
        }

        private Handle handle(Handle handle) {
            Hook hook = hook(handle.getOwner(), handle.getName(), handle.getDesc());
            if (hook == null) {
                return handle;
            }
            boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
            String with = isStatic
                    ? handle.getDesc()
                    : "(L" + handle.getOwner() + ";" + handle.getDesc().substring(1);
            return new Handle(Opcodes.H_INVOKESTATIC, hook.owner(), hook.name(), with, false);
        }
    }
}
