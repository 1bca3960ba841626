package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.PathErrors;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.Route;
import dev.keelson.request.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * The end of the chain for requests without a JAX-RS resource, and for documents: resource requests
 * go to their verbs, others to the first route that serves the path.
 *
 * <p>HEAD is served like GET; the connection omits the body.
 *
 * @param resources handles resource requests
 * @param others routes of discovery, OpenAPI, health, version and metrics
 */
public record RoutingHandler(RequestHandler resources, List<Route> others)
    implements RequestHandler {

  public RoutingHandler {
    others = List.copyOf(others);
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (exchange.info() instanceof RequestInfo.Resource info) {
      if (hasEmptySegment(info)) {
        throw PathErrors.unknownPath();
      }
      return resources.answer(exchange);
    }
    ApiRequest request = exchange.request();
    boolean head = request.method().equals("HEAD");
    return found(head ? request.withMethod("GET") : request).orElseThrow(() -> unanswered(request));
  }

  /** Empty segments may only end a path, or be below {@code proxy}. */
  private static boolean hasEmptySegment(RequestInfo.Resource info) {
    String path = info.path();
    int empty = path.indexOf("//");
    if (empty < 0) {
      return false;
    }
    boolean proxied = info.subresource().equals("proxy") && !info.rest().isEmpty();
    int end = proxied ? path.lastIndexOf("/proxy/" + info.rest()) : path.length();
    return empty < end && !path.substring(empty, end).chars().allMatch(c -> c == '/');
  }

  private Optional<ApiResponse> found(ApiRequest request) {
    for (Route route : others) {
      Optional<ApiResponse> answer = route.answer(request);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  private ApiException unanswered(ApiRequest request) {
    boolean known =
        !request.method().equals("GET")
            && others.stream().anyMatch(route -> route.serves(request.path()));
    return known ? PathErrors.notAllowed() : PathErrors.unknownPath();
  }
}
