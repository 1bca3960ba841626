package dev.keelson.schema.openapi;

import java.util.List;

/** The media types that operations name. */
final class MediaTypes {

  /** What objects come in. */
  static final List<String> OBJECTS =
      List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");

  /** The same for answers that may be a watch. */
  static final List<String> STREAMS =
      List.of(
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;stream=watch",
          "application/vnd.kubernetes.protobuf;stream=watch");

  static final List<String> PATCHES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  static final List<String> ANY = List.of("*/*");

  private MediaTypes() {}
}
