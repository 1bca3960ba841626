package dev.keelson.http.media;

import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.function.Function;

/**
 * The schemas of meta types that all resources share.
 *
 * @param status a Status
 * @param listMeta the metadata of a list
 * @param partial an object's metadata alone
 * @param partialList a list of such
 * @param partialListBeta the same in {@code v1beta1}, whose protobuf fields have other numbers
 */
public record MetaSchemas(
    StructSchema status,
    StructSchema listMeta,
    StructSchema partial,
    StructSchema partialList,
    StructSchema partialListBeta) {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.";

  /**
   * Looks up the schemas.
   *
   * @param structs finds a schema by its full name, possibly loaded lazily
   */
  public static MetaSchemas of(Function<String, StructSchema> structs) {
    return new MetaSchemas(
        structs.apply(META + "v1.Status"),
        structs.apply(META + "v1.ListMeta"),
        structs.apply(META + "v1.PartialObjectMetadata"),
        structs.apply(META + "v1.PartialObjectMetadataList"),
        structs.apply(META + "v1beta1.PartialObjectMetadataList"));
  }

  StructSchema partialList(String apiVersion) {
    return apiVersion.endsWith("/v1beta1") ? partialListBeta : partialList;
  }
}
