package dev.keelson.http.media;

import java.util.List;

/** A serialization of objects. */
public enum Format {
  JSON("application/json"),
  YAML("application/yaml"),
  /** Has Kubernetes' media type and the contract's neutral one. */
  PROTOBUF("application/vnd.kubernetes.protobuf", "application/vnd.cluster.protobuf");

  /** Of {@code List.of}. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> mediaTypes;

  Format(String... mediaTypes) {
    this.mediaTypes = List.of(mediaTypes);
  }

  /** Its media types, the default first. */
  public List<String> mediaTypes() {
    return mediaTypes;
  }
}
