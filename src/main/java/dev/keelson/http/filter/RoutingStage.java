package dev.keelson.http.filter;

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
 * @param resources answers requests for resources
 * @param others the rest: discovery, OpenAPI, health, version, metrics
 */
public record RoutingStage(Stage resources, List<Route> others) implements Stage {

  /** Something that answers some paths. */
  @FunctionalInterface
  public interface Route {

    /** The answer, or empty if the path is none of this route's. */
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
    for (Route route : others) {
      Optional<Answer> answer = route.answer(exchange.request());
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    throw ResourceStage.unknownPath();
  }
}
