package io.belay.spring;

import java.io.IOException;
import java.io.InputStream;
import org.aspectj.weaver.loadtime.Aj;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.aspectj.AnnotationTransactionAspect;

/** A method whose transaction AspectJ has woven into it, without a proxy. */
public class Woven implements Runnable {
    private final Runnable body;

    public Woven(Runnable body) {
        this.body = body;
    }

    @Transactional
    @Override
    public void run() {
        body.run();
    }

    /** Runs something in a transaction as AspectJ begins it. */
    static void transact(TransactionManager manager, Runnable body) throws Exception {
        AnnotationTransactionAspect.aspectOf().setTransactionManager(manager);
        Class<?> woven = new Weaver().loadClass(Woven.class.getName());
        ((Runnable) woven.getConstructor(Runnable.class).newInstance(body)).run();
    }

    /** Weaves that one class, and asks others for the rest. */
    private static final class Weaver extends ClassLoader {
        private final Aj weaver = new Aj();

        Weaver() {
            super(Woven.class.getClassLoader());
            Aj.loadersToSkip = null;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Woven.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream file = Woven.class.getResourceAsStream("Woven.class")) {
                byte[] code = weaver.preProcess(name.replace('.', '/'), file.readAllBytes(), this, null);
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
