package io.belay.quorum;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;

/** The provider of {@code quorum:URL,URL,URL}: locks that are held on a majority of several stores. */
public final class QuorumStoreProvider implements StoreProvider {
    /** Makes the provider, for {@link ServiceLoader}. */
    public QuorumStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(QuorumUrl.SCHEME);
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        QuorumUrl parsed = QuorumUrl.parse(url);
        List<StoreProvider> providers = providers(parsed);
        Quorum quorum = new Quorum(client, parsed, Clock.system(), new Random(), new Loop());
        QuorumStore store = new QuorumStore(quorum, listener);
        new MemberConnector(
                        quorum,
                        store,
                        (member, told) -> providers
                                .get(member.index)
                                .open(parsed.members().get(member.index), client, told),
                        Thread::new)
                .await();
        return store;
    }

    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        QuorumUrl parsed = QuorumUrl.parse(url);
        List<StoreProvider> providers = providers(parsed);
        for (int i = 0; i < providers.size(); i++) {
            try {
                var unused = providers.get(i).schema(parsed.members().get(i)); // refuses one that is wrong
            } catch (StoreException e) {
                throw StoreException.unusable(parsed.label(i + 1) + ": " + e.getMessage(), e);
            }
        }
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        QuorumUrl parsed = QuorumUrl.parse(url);
        return new Examination(parsed, providers(parsed)).findings();
    }

    private static List<StoreProvider> providers(QuorumUrl url) {
        List<StoreProvider> result = new ArrayList<>();
        for (int i = 0; i < url.members().size(); i++) {
            result.add(provider(url, i));
        }
        return result;
    }

    private static StoreProvider provider(QuorumUrl url, int i) {
        String scheme = QuorumUrl.scheme(url.members().get(i));
        for (StoreProvider provider :
                ServiceLoader.load(StoreProvider.class, QuorumStoreProvider.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
        }
        throw url.unknown(i + 1);
    }
}
