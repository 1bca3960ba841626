package dev.keelson.http.health;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Route;
import java.util.Optional;

/**
 * {@code DELETE} of the paths of metrics, which begins to count from then on (source:
 * component-base, metrics/http.go). Load tests ask for it before they measure.
 */
public record MetricsResetRoute(Metrics metrics, HealthEndpoints health) implements Route {

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!request.method().equals("DELETE")) {
      return Optional.empty();
    }
    switch (request.path()) {
      case "/metrics" -> metrics.reset();
      case "/metrics/slis" -> health.resetIndicators();
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(HealthRoutes.plain(TextResponse.plain(200, "metrics reset\n")));
  }

  @Override
  public boolean serves(String path) {
    return false;
  }
}
