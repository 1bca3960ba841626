package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import java.util.List;
import java.util.Map;

/** What other API servers document. Safe for use by several threads; never waits for a server. */
@FunctionalInterface
public interface RemoteDocuments {

  /** This server serves everything. */
  RemoteDocuments NONE = () -> Snapshot.EMPTY;

  /** What is known now. */
  Snapshot snapshot();

  /**
   * What a server says of a group version in Swagger 2.0.
   *
   * @param json the paths of the group version with what they refer to; never changed
   * @param hash changes with the document
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity: one that is known stays
  record Swagger(GroupVersion version, byte[] json, String hash) {}

  /**
   * What is known of all servers. Immutable.
   *
   * @param generation increases with every change
   * @param v2 documents of Swagger 2.0, that of the highest priority first
   * @param index the URLs of the documents of OpenAPI 3.0 that the servers themselves serve, by
   *     name
   */
  record Snapshot(long generation, List<Swagger> v2, Map<String, String> index) {

    static final Snapshot EMPTY = new Snapshot(0, List.of(), Map.of());

    public Snapshot {
      v2 = List.copyOf(v2);
      index = Map.copyOf(index);
    }

    /** Whether a document of a group version is known. */
    boolean hasSwagger(GroupVersion version) {
      return v2.stream().anyMatch(document -> document.version.equals(version));
    }
  }
}
