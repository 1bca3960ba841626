package dev.keelson.http.filter;

import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.authz.OpenPaths;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.Span;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.List;

/**
 * Rejects unauthorized requests with 403. The attributes come from the same request info that the
 * verbs use, so that no spelling of a path can mean one thing here and another there.
 *
 * @param openPaths paths that everyone may get; a trailing {@code *} matches any suffix
 * @param metrics records every decision
 */
record AuthorizationFilter(
    Authorizer authorizer, List<String> openPaths, RequestMetrics metrics, RequestHandler next)
    implements RequestHandler {

  private static final String DECISION = "authorization.k8s.io/decision";
  private static final String REASON = "authorization.k8s.io/reason";
  private static final String ALLOWED = "allowed";
  private static final String ERROR = "error";

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (isOpen(exchange.info())) {
      metrics.decided(ALLOWED, Duration.ZERO);
      annotate(exchange, Decision.Allow.PLAIN);
    } else {
      Attributes attributes = attributes(exchange);
      long begin = System.nanoTime();
      Decision decision = authorizer.authorize(attributes);
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      metrics.decided(result(decision), took);
      exchange.context().latencies().add(Latencies.Layer.AUTHORIZATION, took.toNanos());
      annotate(exchange, decision);
      Span traced = exchange.context().latencies().span();
      if (traced != null) {
        traced.begun("authorization", took.toNanos()).with("decision", result(decision)).end();
      }
      if (!decision.allowed()) {
        throw ForbiddenError.of(attributes, decision);
      }
    }
    return next.answer(exchange);
  }

  private static void annotate(Exchange exchange, Decision decision) {
    if (!exchange.context().isAudited()) {
      return;
    }
    String result = result(decision);
    if (result.equals(ERROR)) {
      exchange.context().annotate(REASON, "internal error");
    } else {
      exchange.context().annotate(DECISION, decision.allowed() ? "allow" : "forbid");
      exchange.context().annotate(REASON, decision.reason());
    }
  }

  private static String result(Decision decision) {
    return switch (decision) {
      case Decision.Allow _ -> ALLOWED;
      case Decision.Deny deny -> deny.error().isEmpty() ? "denied" : ERROR;
      case Decision.NoOpinion none -> none.error().isEmpty() ? "no-opinion" : ERROR;
    };
  }

  private boolean isOpen(RequestInfo info) {
    return info instanceof RequestInfo.NonResource other
        && new OpenPaths(openPaths).has(other.path());
  }

  /** Returns the attributes of the request, with the impersonated user if there is one. */
  static Attributes attributes(Exchange exchange) {
    UserInfo user = exchange.context().user();
    return switch (exchange.info()) {
      case RequestInfo.NonResource other ->
          new Attributes(user, other.verb(), new Attributes.Path(other.path()));
      case RequestInfo.Resource info -> {
        Query query = exchange.request().query();
        boolean selects = selects(info.verb());
        yield new Attributes(
            user,
            info.verb().word(),
            new Attributes.Resource(
                info.groupVersion().group(),
                info.groupVersion().version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                selects ? query.first("fieldSelector") : "",
                selects ? query.first("labelSelector") : ""));
      }
    };
  }

  private static boolean selects(Verb verb) {
    return verb == Verb.LIST || verb == Verb.WATCH || verb == Verb.DELETE_COLLECTION;
  }
}
