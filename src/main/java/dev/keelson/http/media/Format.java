package dev.keelson.http.media;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

  /**
   * Formats as messages list them: by their default media types, as Kubernetes has them.
   *
   * @param parameters what follows each media type
   */
  public static String listed(Predicate<Format> which, String parameters) {
    return Arrays.stream(values())
        .filter(which)
        .map(format -> format.mediaTypes.getFirst() + parameters)
        .collect(Collectors.joining(", "));
  }

  /** Its media types, the default first. */
  public List<String> mediaTypes() {
    return mediaTypes;
  }
}
