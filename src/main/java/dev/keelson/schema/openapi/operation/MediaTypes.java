package dev.keelson.schema.openapi.operation;

import java.util.List;

/** The media types that operations name. */
public final class MediaTypes {

  /** What objects come in. */
  public static final List<String> OBJECTS =
      List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");

  /** The same for answers that may be a watch. */
  public static final List<String> STREAMS =
      List.of(
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;stream=watch",
          "application/vnd.kubernetes.protobuf;stream=watch");

  /** The patches of built-in types. */
  public static final List<String> PATCHES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  /** What a body without a schema of its own comes in. */
  public static final List<String> ANY = List.of("*/*");

  /** What custom resources come in, which have no protobuf form. */
  static final List<String> CUSTOM_OBJECTS = List.of("application/json", "application/yaml");

  /** The same for answers that may be a watch. */
  static final List<String> CUSTOM_STREAMS =
      List.of("application/json", "application/yaml", "application/json;stream=watch");

  /** The patches of custom resources, which have no merge keys. */
  static final List<String> CUSTOM_PATCHES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/apply-patch+yaml");

  private MediaTypes() {}
}
