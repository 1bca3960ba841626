package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.EncryptedStore;
import dev.keelson.storage.encryption.ResourceTransformers;
import dev.keelson.storage.encryption.Transformer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the transformer of a key by its resource. Keys of no resource, such as allocations and
 * the mark of the compaction, are stored as given; kube-apiserver does not encrypt them either.
 *
 * @param resources names the resource of a key
 * @param current the transformers in effect
 */
public record StoredTransformers(StoredResources resources, Supplier<ResourceTransformers> current)
    implements EncryptedStore.KeyTransformers {

  @Override
  public @Nullable Transformer of(Bytes key) {
    GroupResource resource = resources.of(key);
    return resource.equals(StoredResources.UNKNOWN) ? null : current.get().of(resource);
  }
}
