package dev.keelson.http.media;

import dev.keelson.http.ApiRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A view of objects: the parameter {@code as} of a media range. */
sealed interface View {

  /** The whole object. */
  enum Whole implements View {
    WHOLE
  }

  /**
   * A Table (contract, "Table representation").
   *
   * @param apiVersion of the Table
   */
  record Table(String apiVersion) implements View {}

  /**
   * PartialObjectMetadata.
   *
   * @param apiVersion of the response
   * @param list whether the client expects a list
   */
  record Metadata(String apiVersion, boolean list) implements View {}

  /** The parameter {@code includeObject} of a Table. */
  enum IncludeObject {
    NONE,
    METADATA,
    OBJECT;

    /**
     * Parses the parameter.
     *
     * @throws dev.keelson.api.ApiException of reason BadRequest for an unknown value
     */
    static IncludeObject of(ApiRequest request) {
      String word = request.query().first("includeObject");
      return switch (word) {
        case "", "Metadata" -> METADATA;
        case "None" -> NONE;
        case "Object" -> OBJECT;
        default ->
            throw dev.keelson.api.ApiException.badRequest(
                "Unable to convert to Table as requested: includeObject: Invalid value: \""
                    + word
                    + "\": must be 'Metadata', 'Object', 'None', or empty");
      };
    }
  }

  /** Kubernetes' name and the contract's neutral one. */
  Set<String> GROUPS = Set.of("meta.k8s.io", "meta.cluster");

  Set<String> VERSIONS = Set.of("v1", "v1beta1");

  /** The parameters that together select a view. */
  Set<String> NAMES = Set.of("as", "g", "v");

  /** Returns the view of a media range in a format, or null if it is not supported. */
  static @Nullable View of(MediaType range, Format format) {
    if (NAMES.stream().noneMatch(range.parameters()::containsKey)) {
      return Whole.WHOLE;
    }
    String group = range.parameter("g");
    String version = range.parameter("v");
    if (!GROUPS.contains(group) || !VERSIONS.contains(version)) {
      return null;
    }
    String apiVersion = group + "/" + version;
    return switch (range.parameter("as")) {
      // cells have no protobuf form
      case "Table" -> format == Format.PROTOBUF ? null : new Table(apiVersion);
      case "PartialObjectMetadata" -> new Metadata(apiVersion, false);
      case "PartialObjectMetadataList" -> new Metadata(apiVersion, true);
      default -> null;
    };
  }
}
