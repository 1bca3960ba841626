package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.config.option.StorageOptions.ResourceOverride;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.KeyLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * A store of some built-in resources, of {@code --etcd-servers-overrides}.
 *
 * @param store the store
 * @param resources what it holds; {@code *} for every resource of a group
 */
public record OverrideStore(RevisionedStore store, List<GroupResource> resources) {

  private static final Logger LOG = Logger.getLogger(OverrideStore.class);

  public OverrideStore {
    resources = List.copyOf(resources);
  }

  /**
   * The prefixes of the keys that it holds. Resources of two groups that are stored as one, such as
   * events, are named by either. A resource that is not built in is ignored, as by kube-apiserver.
   */
  public Set<Bytes> prefixes(ResourceCatalog catalog, KeyLayout layout) {
    Set<Bytes> prefixes = new LinkedHashSet<>();
    for (GroupResource resource : resources) {
      boolean known = false;
      for (ResourceDefinition definition : catalog.snapshot().all()) {
        StoredType type = definition.storage();
        if (type != null && definition.custom() == null && names(resource, definition)) {
          prefixes.add(layout.range(type.keyPrefix()).start());
          known = true;
        }
      }
      if (!known) {
        LOG.warnf("event=etcd-override-unused resource=%s", resource);
      }
    }
    return prefixes;
  }

  private static boolean names(GroupResource resource, ResourceDefinition definition) {
    GroupResource served = definition.groupResource();
    return served.group().equals(resource.group())
        && (resource.resource().equals(ResourceOverride.ALL)
            || served.resource().equals(resource.resource()));
  }
}
