package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Messages in words. */
final class Words {
    private Words() {}

    static String of(ClaimId id) {
        return id.client() + "/" + id.number();
    }

    static String of(Request request) {
        String kind = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        if (request instanceof Request.Enter enter) {
            return "enter of " + of(enter.id()) + " on " + enter.resource() + ", weight "
                    + weight(enter.spec().weight())
                    + ", lease " + enter.spec().lease() / 1000 + " ms"
                    + (enter.spec().fixedLease() > 0 ? ", fixed " + enter.spec().fixedLease() / 1000 + " ms" : "")
                    + (enter.spec().ifFree() ? ", if free" : "") + (enter.spec().sticky() ? ", sticky" : "");
        } else if (request instanceof Request.OfClaim claim) {
            return kind + " of " + of(claim.id()) + " on " + request.resource() + details(request);
        }
        return kind + " of " + request.resource();
    }

    private static String details(Request request) {
        if (request instanceof Request.Renew renew) {
            return ", sequence " + renew.sequence() + (renew.fresh() ? ", fresh" : "");
        } else if (request instanceof Request.Yield yield) {
            return ", sequence " + yield.sequence();
        } else if (request instanceof Request.Leave leave) {
            return leave.unclear() ? ", unclear" : "";
        } else if (request instanceof Request.Reweight reweight) {
            return " to " + weight(reweight.weight()) + ", change " + reweight.reweights();
        }
        return "";
    }

    private static String weight(int weight) {
        return weight == Resource.WHOLE ? "whole" : Integer.toString(weight);
    }

    static String of(List<Request.Renew> renewals) {
        return renewals.stream().map(Words::of).collect(Collectors.joining("; "));
    }

    static String of(Answer answer) {
        return answer.state() + ", sequence " + answer.sequence()
                + (answer.deadline() > 0 ? ", for " + (answer.deadline() - answer.time()) / 1000 + " ms" : "")
                + (answer.refusal() == null ? "" : ": " + answer.refusal());
    }

    /** Who has a resource, and who waits for it. */
    static String of(Resource resource) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < resource.claims().size(); i++) {
            Claim claim = resource.claims().get(i);
            text.append(i == resource.granted() ? " | " : i == 0 ? "" : ", ")
                    .append(of(claim.id()))
                    .append(" weight ")
                    .append(weight(claim.weight()))
                    .append(", sequence ")
                    .append(claim.sequence());
        }
        return "[" + text + "]";
    }

    static String of(Push push) {
        return of(push.id())
                + (push.granted() ? " granted for " + (push.deadline() - push.time()) / 1000 + " ms" : " ended")
                + (push.wanted() ? ", wanted" : "") + ", sequence " + push.sequence();
    }
}
