package dev.keelson.schema.openapi;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.gnostic.Gnostic2Filter;
import dev.keelson.schema.openapi.merge.SwaggerSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The documents of other servers that are merged into the document of Swagger 2.0.
 *
 * @param documents in their order
 * @param trees what they say
 * @param names of all their definitions
 * @param taken those of {@code names} that are definitions of custom resources here
 */
record RemoteSwagger(
    List<RemoteDocuments.Swagger> documents,
    List<SwaggerSpec> trees,
    Set<String> names,
    Set<String> taken) {

  /**
   * Reads the documents.
   *
   * @param taken the names of the definitions of custom resources
   */
  static RemoteSwagger of(
      List<RemoteDocuments.Swagger> documents, Set<String> taken, DocumentEncoding encoding) {
    List<SwaggerSpec> trees = new ArrayList<>(documents.size());
    Set<String> names = new HashSet<>();
    for (RemoteDocuments.Swagger document : documents) {
      if (encoding.json().read(document.json()) instanceof MapNode root) {
        SwaggerSpec tree = SwaggerSpec.of(root);
        names.addAll(tree.definitions().keys());
        trees.add(encoding.format() == Format.PROTOBUF ? writable(tree) : tree);
      }
    }
    return new RemoteSwagger(documents, trees, names, common(names, taken));
  }

  private static SwaggerSpec writable(SwaggerSpec tree) {
    return new SwaggerSpec(
        Gnostic2Filter.paths(tree.paths()),
        Gnostic2Filter.definitions(tree.definitions()),
        Gnostic2Filter.parameters(tree.parameters()));
  }

  private static Set<String> common(Set<String> some, Set<String> others) {
    Set<String> common = new HashSet<>(some);
    common.retainAll(others);
    return common;
  }

  /** Whether these documents would be merged in the same way. */
  boolean holds(List<RemoteDocuments.Swagger> others, Set<String> customNames) {
    return documents.equals(others) && taken.equals(common(names, customNames));
  }

  /** The document of this server with these. */
  SwaggerSpec mergedInto(SwaggerSpec own) {
    SwaggerSpec merged = own;
    for (SwaggerSpec tree : trees) {
      merged = merged.with(tree, taken::contains);
    }
    return merged;
  }

  /** The same for {@link #holds} alone. */
  RemoteSwagger withoutTrees() {
    return new RemoteSwagger(documents, List.of(), names, taken);
  }
}
