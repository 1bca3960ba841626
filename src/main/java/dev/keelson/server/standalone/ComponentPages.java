package dev.keelson.server.standalone;

import dev.keelson.http.Query;
import dev.keelson.http.health.HealthEndpoints;
import dev.keelson.http.health.TextResponse;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What a component serves.
 *
 * @param configz the configuration
 */
record ComponentPages(HealthEndpoints health, ComponentMetrics metrics, MapNode configz) {

  /** The page of a path; empty if there is none. */
  Optional<TextResponse> answer(String path, Query query) {
    return switch (path) {
      case "/metrics" -> Optional.of(metrics.answer());
      case "/configz" -> Optional.of(json(200, configz));
      default -> health.answer(path, query.values());
    };
  }

  static TextResponse json(int status, MapNode tree) {
    return new TextResponse(
        status,
        Map.of(
            "Content-Type",
            "application/json",
            "Cache-Control",
            "no-cache, private",
            "X-Content-Type-Options",
            "nosniff"),
        new String(ObjectWriter.json(tree), StandardCharsets.UTF_8));
  }
}
