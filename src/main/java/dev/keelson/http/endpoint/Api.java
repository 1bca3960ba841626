package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.Route;
import dev.keelson.http.connection.Call;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.http.filter.FilterOrder;
import dev.keelson.http.filter.RoutingHandler;
import dev.keelson.request.RequestInfo;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * What the resource classes hand requests to: the filter chain, by what is at its end.
 *
 * @param intake lets requests in, and answers what no resource class matches
 * @param objects the verbs on objects
 * @param discovery the documents of groups, versions and resources
 * @param openApi the OpenAPI documents
 * @param health health, version and metrics
 * @param issuer the documents of the issuer of service account tokens
 * @param root the list of paths
 */
public record Api(
    RequestReceiver intake,
    RequestHandler objects,
    RequestHandler discovery,
    RequestHandler openApi,
    RequestHandler health,
    RequestHandler issuer,
    RequestHandler root) {

  /** What answers requests for anything but objects, each for its own paths. */
  public record Documents(Route discovery, Route openApi, Route health, Route issuer, Route root) {

    List<Route> all() {
      return List.of(health, discovery, openApi, issuer, root);
    }
  }

  /**
   * The API.
   *
   * @param threads runs requests that no resource class matches
   * @param timeout how long a request may take before it is answered with 504
   */
  public static Api of(
      FilterOrder filters,
      RequestHandler objects,
      Documents documents,
      Vertx vertx,
      ExecutorService threads,
      ErrorResponses errors,
      Duration timeout) {
    RequestHandler unmatched = filters.around(new RoutingHandler(objects, documents.all()));
    return new Api(
        new RequestReceiver(vertx, threads, unmatched, errors, timeout),
        filters.around(objects),
        document(filters, objects, documents.discovery()),
        document(filters, objects, documents.openApi()),
        document(filters, objects, documents.health()),
        document(filters, objects, documents.issuer()),
        document(filters, objects, documents.root()));
  }

  private static RequestHandler document(FilterOrder filters, RequestHandler objects, Route route) {
    return filters.around(new RoutingHandler(objects, List.of(route)));
  }

  static RoutingContext routing(ServerRequestContext match) {
    return ((ResteasyReactiveRequestContext) match).unwrap(RoutingContext.class);
  }

  /** Answers a request for the resource that JAX-RS matched. */
  ApiResponse objects(ServerRequestContext match, MatchedPath path) {
    Call call = Call.of(routing(match));
    return call.run(path.info(call.request()), objects);
  }

  /** Answers a request for something else. */
  static ApiResponse document(ServerRequestContext match, RequestHandler chain) {
    Call call = Call.of(routing(match));
    String verb = call.request().method().toLowerCase(Locale.ROOT);
    return call.run(new RequestInfo.NonResource(call.request().path(), verb), chain);
  }

  /** Answers a request that has no method of its own. */
  ApiResponse unmatched(ServerRequestContext match) {
    return intake.unmatched(Call.of(routing(match)));
  }
}
