package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store whose requests, answers and pushes are told in the story. */
final class ToldStore extends ForwardingStore {
    private final World world;
    private final Machine machine;

    private ToldStore(World world, Machine machine, Store store) {
        super(store);
        this.world = world;
        this.machine = machine;
    }

    /** Opens a store that is told of, if anybody wants to read the story. */
    static Store open(World world, Machine machine, Listener listener, Function<Listener, Store> opener) {
        if (!world.story.isWanted()) {
            return opener.apply(listener);
        }
        Listener told = new Listener() {
            @Override
            public void pushed(Push push) {
                world.story.tell(world.scheduler, machine, () -> "hears the push " + Words.of(push));
                listener.pushed(push);
            }

            @Override
            public void reconnected() {
                world.story.tell(world.scheduler, machine, () -> "is connected again");
                listener.reconnected();
            }
        };
        return new ToldStore(world, machine, opener.apply(told));
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        world.story.tell(world.scheduler, machine, () -> "asks for the " + Words.of(request));
        CompletionStage<Answer> answer = super.send(request);
        tell(request, answer);
        return answer;
    }

    private void tell(Request request, CompletionStage<Answer> answer) {
        answer.whenComplete((told, error) -> world.story.tell(
                world.scheduler,
                machine,
                () -> "hears of the " + Words.of(request) + ": " + (told == null ? error : Words.of(told))));
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        world.story.tell(world.scheduler, machine, () -> "asks for a chunk: " + Words.of(renewals));
        List<? extends CompletionStage<Answer>> answers = super.renew(renewals);
        for (int i = 0; i < renewals.size(); i++) {
            tell(renewals.get(i), answers.get(i));
        }
        return answers;
    }
}
