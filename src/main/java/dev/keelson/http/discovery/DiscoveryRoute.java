package dev.keelson.http.discovery;

import dev.keelson.http.ApiRequest;
import java.util.Optional;

/** Discovery as a part of the chain. */
public record DiscoveryRoute(Discovery discovery) {

  /** The answer to a GET of one of discovery's paths, or empty. */
  public Optional<dev.keelson.http.Answer> answer(ApiRequest request) {
    if (!request.method().equals("GET")) {
      return Optional.empty();
    }
    return discovery
        .answer(
            request.path(),
            String.join(", ", request.headerValues("Accept")),
            request.header("If-None-Match"))
        .map(DiscoveryRoute::plain);
  }

  private static dev.keelson.http.Answer plain(Answer answer) {
    dev.keelson.http.Answer plain =
        new dev.keelson.http.Answer(
            answer.status(), java.util.List.of(), dev.keelson.http.Payload.of(answer.body()));
    for (var header : answer.headers().entrySet()) {
      plain = plain.with(header.getKey(), header.getValue());
    }
    return plain;
  }
}
