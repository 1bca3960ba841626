package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Verb;
import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.Stage;
import dev.keelson.request.RequestInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leaves out what a closed gate forbids: with DryRun closed a dry run is refused, since it must not
 * become a write, and with APIListChunking closed lists come whole.
 */
public final class GatedStage implements Stage {

  private final Stage next;
  private final boolean dryRun;
  private final boolean chunks;

  public GatedStage(Stage next, FeatureGates gates) {
    this.next = next;
    this.dryRun = gates.on(Feature.DRY_RUN);
    this.chunks = gates.on(Feature.API_LIST_CHUNKING);
  }

  @Override
  public Answer answer(Exchange exchange) {
    Query query = exchange.request().query();
    if (!dryRun && query.has("dryRun")) {
      throw ApiException.badRequest("the dryRun alpha feature is disabled");
    }
    boolean list = exchange.info() instanceof RequestInfo.Resource info && info.verb() == Verb.LIST;
    return next.answer(chunks || !list ? exchange : whole(exchange));
  }

  private static Exchange whole(Exchange exchange) {
    ApiRequest request = exchange.request();
    Map<String, List<String>> values = new HashMap<>(request.query().values());
    values.remove("limit");
    values.remove("continue");
    return new Exchange(request.with(new Query(values)), exchange.info(), exchange.context());
  }
}
