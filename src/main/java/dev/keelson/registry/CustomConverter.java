package dev.keelson.registry;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import java.util.List;

/**
 * Converts objects of custom resources whose definition has the conversion strategy {@code Webhook}
 * (source: apiextensions-apiserver, {@code CRConverter}). Safe for use by several threads; blocks.
 */
@FunctionalInterface
public interface CustomConverter {

  /** Reports that there is no client for webhooks. */
  CustomConverter NONE =
      (resource, target, objects) -> {
        throw new IllegalStateException(resource.name() + " needs a conversion webhook");
      };

  /**
   * Converts objects in one call.
   *
   * @param resource the definition that names the webhook
   * @param target the version to convert to
   * @param objects complete objects in other versions; at least one
   * @return the same objects in {@code target} and in order, with the metadata that they had except
   *     for labels and annotations; not pruned
   * @throws dev.keelson.api.ApiException if the webhook fails, with a message that names it
   */
  List<MapNode> convert(CustomResource resource, GroupVersion target, List<MapNode> objects);
}
