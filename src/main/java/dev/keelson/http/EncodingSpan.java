package dev.keelson.http;

import dev.keelson.request.Span;

/**
 * What the span of a response's encoding shows (source: apiserver,
 * endpoints/handlers/responsewriters/writers.go).
 */
public final class EncodingSpan {

  /** The name of the span. */
  public static final String NAME = "SerializeObject";

  private static final String GROUPS = "/apis/";
  private static final String CORE = "/api/";

  private EncodingSpan() {}

  /**
   * Records what is encoded, and how. Called on sampled spans only.
   *
   * @param mediaType of the response, with or without parameters
   */
  public static Span begun(Span span, ApiRequest request, String mediaType) {
    return span.with("method", request.method())
        .with("url", request.path())
        .with("protocol", request.protocol())
        .with("mediaType", mediaType)
        .with("encoder", encoder(request.path(), mediaType))
        .event("About to start writing response");
  }

  /** Records that all of it is encoded. */
  public static Span written(Span span) {
    return span.event("Write call succeeded");
  }

  /** The identifier of the encoder by which kube-apiserver would have made the response. */
  static String encoder(String path, String mediaType) {
    String version = groupVersion(path);
    return "{"
        + (version.isEmpty() ? "" : "\"encodeGV\":\"" + version + "\",")
        + "\"encoder\":\""
        + format(mediaType)
        + "\",\"name\":\"versioning\"}";
  }

  private static String format(String mediaType) {
    if (mediaType.contains("protobuf")) {
      return "protobuf";
    }
    String yaml = String.valueOf(mediaType.contains("yaml"));
    return "{\"name\":\"json\",\"pretty\":\"false\",\"strict\":\"false\",\"yaml\":\"YAML\"}"
        .replace("YAML", yaml)
        .replace("\"", "\\\"");
  }

  /** The version that the path names; empty if it is of no resource. */
  private static String groupVersion(String path) {
    int from = path.startsWith(GROUPS) ? GROUPS.length() : CORE.length();
    if (!path.startsWith(GROUPS) && !path.startsWith(CORE)) {
      return "";
    }
    int to = path.indexOf('/', from);
    if (to >= 0 && path.startsWith(GROUPS)) {
      to = path.indexOf('/', to + 1);
    }
    return path.substring(from, to < 0 ? path.length() : to);
  }
}
