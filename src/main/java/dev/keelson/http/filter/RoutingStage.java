package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Stage;
import dev.keelson.http.verb.ResourceStage;
import dev.keelson.request.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * The end of the chain: resources to their verbs, everything else to the first of the other parts
 * that knows the path.
 *
 * <p>What can be got can be asked for with HEAD, too; connections leave the body out then.
 *
 * @param resources answers requests for resources
 * @param others the rest: discovery, OpenAPI, health, version, metrics
 */
public record RoutingStage(Stage resources, List<Route> others) implements Stage {

  /** Something that answers some paths. */
  @FunctionalInterface
  public interface Route {

    /**
     * The answer, or empty if the path is none of this route's, or cannot be asked by this method.
     */
    Optional<Answer> answer(ApiRequest request);
  }

  public RoutingStage {
    others = List.copyOf(others);
  }

  @Override
  public Answer answer(Exchange exchange) {
    if (exchange.info() instanceof RequestInfo.Resource) {
      return resources.answer(exchange);
    }
    ApiRequest request = exchange.request();
    boolean head = request.method().equals("HEAD");
    return found(head ? request.withMethod("GET") : request).orElseThrow(() -> unanswered(request));
  }

  private Optional<Answer> found(ApiRequest request) {
    for (Route route : others) {
      Optional<Answer> answer = route.answer(request);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  private ApiException unanswered(ApiRequest request) {
    boolean known = !request.method().equals("GET") && found(request.withMethod("GET")).isPresent();
    return known ? ResourceStage.notAllowed() : ResourceStage.unknownPath();
  }
}
