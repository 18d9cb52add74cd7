package io.belay.internal.machine;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.List;
import java.util.Locale;

/** What happens in a search, in words. */
final class SimWords {
    private final Values values;

    SimWords(Values values) {
        this.values = values;
    }

    static String name(int client) {
        return String.valueOf((char) ('A' + client));
    }

    static String name(ClaimId id) {
        return name((int) id.client()) + id.number();
    }

    String of(SimClient client, SimEvent... events) {
        StringBuilder all = new StringBuilder(name(client.number));
        for (SimEvent event : events) {
            String kind = event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            all.append(' ').append(kind).append(event.who() > 0 ? " (" + event.who() + ")" : "");
            all.append(event.ticks() > 0 ? " " + event.ticks() : "");
        }
        return all.toString();
    }

    String of(SimMessage message) {
        if (message instanceof SimMessage.Asked a) {
            return "the store runs " + name(a.client()) + "'s " + of(a.request()) + " #"
                    + a.sent().number();
        } else if (message instanceof SimMessage.Answered a) {
            String about = name(a.client()) + " is answered about " + name(a.id()) + " #"
                    + a.sent().number() + ": ";
            return a.answer() == null
                    ? about + "failed"
                    : about + a.answer().state() + ", sequence " + a.answer().sequence() + ", until "
                            + a.answer().deadline() / (double) SimWorld.MICROS;
        }
        Push push = ((SimMessage.Pushed) message).push();
        return name(message.client()) + " is pushed: " + name(push.id()) + (push.granted() ? " granted" : " ended")
                + (push.wanted() ? " and wanted" : "") + ", sequence " + push.sequence() + ", until "
                + push.deadline() / (double) SimWorld.MICROS;
    }

    private static String of(Request request) {
        String kind = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        String about = request instanceof Request.OfClaim c ? kind + " of " + name(c.id()) : kind;
        if (request instanceof Request.Yield y) {
            return about + ", sequence " + y.sequence();
        } else if (request instanceof Request.Renew r) {
            return about + ", sequence " + r.sequence() + (r.fresh() ? ", fresh" : "");
        } else if (request instanceof Request.Reweight r) {
            return about + " to " + r.weight() + ", change " + r.reweights();
        } else if (request instanceof Request.Fix f) {
            return about + " for " + f.lease() / (double) SimWorld.MICROS + ", change " + f.reweights();
        } else if (request instanceof Request.Leave l) {
            return about + (l.unclear() ? ", unclear" : "");
        }
        return about;
    }

    /** What the store has then. */
    String of(SimWorld world) {
        Resource store = (Resource) values.get(world.store);
        List<Claim> claims = store.claims();
        StringBuilder all = new StringBuilder(" -> granted [");
        for (int i = 0; i < claims.size(); i++) {
            Claim c = claims.get(i);
            all.append(i == store.granted() ? "] waiting [" : i == 0 ? "" : ", ")
                    .append(name(c.id()))
                    .append(c.pending() ? " (not picked up)" : "")
                    .append(" until ")
                    .append(c.deadline() / (double) SimWorld.MICROS);
        }
        return all.append(']').toString();
    }
}
