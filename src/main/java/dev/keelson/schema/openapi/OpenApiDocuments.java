package dev.keelson.schema.openapi;

import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.openapi.operation.MetaTypes;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI documents of what a catalog serves, and of what other servers serve behind this one:
 * the document of Swagger 2.0 has theirs merged, and the index of v3 names theirs, which they serve
 * themselves. Safe for use by several threads.
 *
 * <p>A document is built when it is first asked for. Its hash is kept as long as it describes the
 * catalog, its bytes only as long as there is memory to spare: most clients read a few documents,
 * and evicted ones are rebuilt with the same bytes. When the catalog changes, documents of group
 * versions whose resources are the same are kept. One document is built at a time, so that the
 * trees of two never stand in memory together.
 */
public final class OpenApiDocuments {

  private final ResourceCatalog catalog;
  private final RemoteDocuments remotes;
  private final DocumentPaths paths;
  private final DocumentFactory factory;
  private @Nullable CatalogDocuments documents;

  /**
   * Documents of what {@code catalog} serves.
   *
   * @param structs gives the schema of a message by its full name; asked for the types of {@code
   *     meta/v1} and for options
   * @param version of the server, for example {@code v1.2.0}
   * @param remotes what other servers document
   */
  public OpenApiDocuments(
      ResourceCatalog catalog,
      Function<String, StructSchema> structs,
      Descriptions descriptions,
      JsonText json,
      String version,
      RemoteDocuments remotes) {
    this.catalog = catalog;
    this.remotes = remotes;
    MetaTypes types = new MetaTypes(structs);
    this.paths = new DocumentPaths(types, descriptions);
    this.factory = new DocumentFactory(types, descriptions, json, version);
  }

  /** The one document of Swagger 2.0. */
  public OpenApiDocument v2(Format format) {
    return current().v2(format);
  }

  /**
   * The index of the v3 documents, in JSON: for each the URL with its hash. Builds those of
   * built-in types that have not been built yet.
   */
  public OpenApiDocument v3Index() {
    return current().index();
  }

  /**
   * A document of OpenAPI 3.0.
   *
   * @param name its name in the index, for example {@code apis/apps/v1}
   * @return empty if there is none of that name
   */
  public Optional<OpenApiDocument> v3(String name, Format format) {
    return current().v3(name, format);
  }

  /** Whether there is a v3 document of that name; builds nothing. */
  public boolean hasV3(String name) {
    return current().has(name);
  }

  private synchronized CatalogDocuments current() {
    Snapshot snapshot = catalog.current();
    RemoteDocuments.Snapshot remote = remotes.snapshot();
    CatalogDocuments known = documents;
    if (known == null) {
      known = new CatalogDocuments(snapshot, remote, paths, factory);
    } else if (!known.describes(snapshot, remote)) {
      known = known.next(snapshot, remote);
    }
    documents = known;
    return known;
  }
}
