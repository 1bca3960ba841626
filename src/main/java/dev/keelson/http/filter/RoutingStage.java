package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Route;
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
    boolean known =
        !request.method().equals("GET")
            && others.stream().anyMatch(route -> route.serves(request.path()));
    return known ? ResourceStage.notAllowed() : ResourceStage.unknownPath();
  }
}
