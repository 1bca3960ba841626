package dev.keelson.http.health;

import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The paths of health and version.
 *
 * @param health the checks
 * @param version what the server says of itself
 */
public record HealthRoutes(HealthEndpoints health, Version version) {

  /** The answer to a request, or empty if its path is none of these. */
  public Optional<Answer> answer(ApiRequest request) {
    if (!request.method().equals("GET")) {
      return Optional.empty();
    }
    return request.path().equals("/version")
        ? Optional.of(plain(version.answer()))
        : health.answer(request.path(), request.query().values()).map(HealthRoutes::plain);
  }

  private static Answer plain(TextAnswer text) {
    List<Answer.Header> headers = new ArrayList<>();
    text.headers().forEach((name, value) -> headers.add(new Answer.Header(name, value)));
    return new Answer(
        text.status(),
        headers,
        dev.keelson.http.Payload.of(text.body().getBytes(StandardCharsets.UTF_8)));
  }
}
