package dev.keelson.http.verb;

import static dev.keelson.http.options.QueryOptions.UNINITIALIZED;

import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestInfo;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Applies feature gates to requests: without DryRun, a dry run is rejected, since it must not
 * become a write; without APIListChunking, lists are not chunked. With Initializers, uninitialized
 * objects are hidden unless requested.
 */
public final class FeatureGateHandler implements RequestHandler {

  /** The verbs with the parameter {@code includeUninitialized}. */
  private static final Set<Verb> SELECTING =
      EnumSet.of(Verb.LIST, Verb.WATCH, Verb.DELETE_COLLECTION);

  private final RequestHandler next;
  private final boolean dryRun;
  private final boolean chunks;
  private final boolean initializers;

  public FeatureGateHandler(RequestHandler next, FeatureGates gates) {
    this.next = next;
    this.dryRun = gates.on(Feature.DRY_RUN);
    this.chunks = gates.on(Feature.API_LIST_CHUNKING);
    this.initializers = gates.on(Feature.INITIALIZERS);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    Query query = exchange.request().query();
    if (!dryRun && query.has("dryRun")) {
      throw ApiException.badRequest("the dryRun alpha feature is disabled");
    }
    if (!(exchange.info() instanceof RequestInfo.Resource info)) {
      return next.answer(exchange);
    }
    Exchange asked = exchange;
    if (!chunks && info.verb() == Verb.LIST) {
      asked = asking(asked, values -> values.keySet().removeAll(Set.of("limit", "continue")));
    }
    if (initializers && SELECTING.contains(info.verb()) && !query.has(UNINITIALIZED)) {
      asked = asking(asked, values -> values.put(UNINITIALIZED, List.of("false")));
    }
    return next.answer(asked);
  }

  private static Exchange asking(Exchange exchange, Consumer<Map<String, List<String>>> change) {
    ApiRequest request = exchange.request();
    Map<String, List<String>> values = new HashMap<>(request.query().values());
    change.accept(values);
    return new Exchange(request.with(new Query(values)), exchange.info(), exchange.context());
  }
}
