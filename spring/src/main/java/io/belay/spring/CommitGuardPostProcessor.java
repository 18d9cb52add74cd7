package io.belay.spring;

import java.util.List;

/** Puts {@link CommitGuard} inside of all other advices of the methods of beans that run under a lock. */
final class CommitGuardPostProcessor extends AnnotationPostProcessor {
    private static final long serialVersionUID = 1;

    CommitGuardPostProcessor() {
        super(Locked.class, false);
        advise(annotated(Locked.class).union(annotated(LeaderOnly.class)), new CommitGuard(this::fences));
    }

    private List<TransactionFence> fences() {
        return beans().getBeanProvider(TransactionFence.class).orderedStream().toList();
    }
}
