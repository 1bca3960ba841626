package dev.keelson.http.endpoint;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.Route;
import dev.keelson.http.connection.Call;
import dev.keelson.http.connection.Delegation;
import dev.keelson.http.connection.ForwardedAddresses;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.http.console.ConsoleHandler;
import dev.keelson.http.filter.FilterOrder;
import dev.keelson.http.filter.RoutingHandler;
import dev.keelson.http.loopback.Loopback;
import dev.keelson.request.RequestInfo;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that the resource classes call: the filter chain with different ends.
 *
 * @param intake receives requests, and handles those without a resource class
 * @param objects the verbs on resources
 * @param discovery discovery documents
 * @param openApi OpenAPI documents
 * @param health health, version and metrics
 * @param profiles profiles of the process
 * @param issuer the OpenID metadata of the service account issuer
 * @param root the list of paths
 * @param loopback requests of this process
 * @param console the console; null without it
 */
public record Api(
    RequestReceiver intake,
    RequestHandler objects,
    RequestHandler discovery,
    RequestHandler openApi,
    RequestHandler health,
    RequestHandler profiles,
    RequestHandler issuer,
    RequestHandler root,
    Loopback loopback,
    @Nullable RequestHandler console) {

  /**
   * The routes of non-resource paths.
   *
   * @param others those that no list of paths names
   */
  public record Documents(
      Route discovery, Route openApi, Route health, Route issuer, Route root, List<Route> others) {

    public Documents {
      others = List.copyOf(others);
    }

    List<Route> all() {
      List<Route> all = new ArrayList<>(List.of(health, discovery, openApi, issuer, root));
      all.addAll(others);
      return all;
    }
  }

  /**
   * Creates the handlers.
   *
   * @param threads runs requests without a resource class
   * @param times how long clients may take
   * @param delegation finds requests that another server answers
   * @param clock the time in the Date header
   * @param forwarded whose X-Forwarded-For is believed
   * @param traffic what connections are limited to
   * @param console serves the console; null without it
   */
  public static Api of(
      FilterOrder filters,
      RequestHandler objects,
      Documents documents,
      Vertx vertx,
      ExecutorService threads,
      ErrorResponses errors,
      RequestReceiver.Times times,
      Delegation delegation,
      InstantSource clock,
      ForwardedAddresses forwarded,
      RequestReceiver.Traffic traffic,
      @Nullable RequestHandler console) {
    RequestHandler unmatched = filters.around(new RoutingHandler(objects, documents.all()));
    return new Api(
        new RequestReceiver(
            vertx,
            threads,
            new ResourceMatcher(),
            unmatched,
            errors,
            times,
            delegation,
            filters::around,
            clock,
            forwarded,
            traffic),
        filters.around(objects),
        document(filters, objects, documents.discovery()),
        document(filters, objects, documents.openApi()),
        document(filters, objects, documents.health()),
        filters.around(new RoutingHandler(objects, documents.others())),
        document(filters, objects, documents.issuer()),
        document(filters, objects, documents.root()),
        new Loopback(
            filters.behindAuthentication(
                new RoutingHandler(
                    delegation.withinProcess(objects), List.of(documents.discovery()))),
            times.request()),
        console == null ? null : filters.open(console, ConsoleHandler::safe));
  }

  private static RequestHandler document(FilterOrder filters, RequestHandler objects, Route route) {
    return filters.around(new RoutingHandler(objects, List.of(route)));
  }

  static RoutingContext routing(ServerRequestContext match) {
    return ((ResteasyReactiveRequestContext) match).unwrap(RoutingContext.class);
  }

  /** Handles a request for the resource that JAX-RS matched. */
  ApiResponse objects(ServerRequestContext match, MatchedPath path) {
    Call call = Call.of(routing(match));
    return call.run(path.info(call.request()), objects);
  }

  /** Handles a non-resource request. */
  static ApiResponse document(ServerRequestContext match, RequestHandler chain) {
    Call call = Call.of(routing(match));
    String verb = call.request().method().toLowerCase(Locale.ROOT);
    return call.run(new RequestInfo.NonResource(call.request().path(), verb), chain);
  }

  /** Handles a request without a matching method. */
  ApiResponse unmatched(ServerRequestContext match) {
    return intake.unmatched(Call.of(routing(match)));
  }
}
