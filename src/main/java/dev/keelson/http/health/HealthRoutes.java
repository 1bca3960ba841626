package dev.keelson.http.health;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The paths of health, version and metrics.
 *
 * @param health the health checks
 * @param version the version
 * @param metrics the metrics
 */
public record HealthRoutes(HealthEndpoints health, Version version, Metrics metrics)
    implements Route {

  /** Every served path. */
  public List<String> paths() {
    List<String> paths = new ArrayList<>(health.paths());
    paths.add("/metrics");
    paths.add("/metrics/slis");
    paths.add("/version");
    return paths;
  }

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!request.method().equals("GET")) {
      return Optional.empty();
    }
    return switch (request.path()) {
      case "/version", "/version/" -> Optional.of(plain(version.answer()));
      case "/metrics" -> Optional.of(plain(metrics.answer()));
      case "/metrics/slis" -> Optional.of(plain(health.indicators()));
      default -> health.answer(request.path(), request.query().values()).map(HealthRoutes::plain);
    };
  }

  @Override
  public boolean serves(String path) {
    return switch (path) {
      case "/version", "/version/", "/metrics", "/metrics/slis" -> true;
      default -> health.serves(path);
    };
  }

  static ApiResponse plain(TextResponse text) {
    List<ApiResponse.Header> headers = new ArrayList<>();
    text.headers().forEach((name, value) -> headers.add(new ApiResponse.Header(name, value)));
    return new ApiResponse(
        text.status(), headers, Payload.of(text.body().getBytes(StandardCharsets.UTF_8)));
  }
}
