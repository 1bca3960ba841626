package dev.keelson.server.store;

import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.encryption.ResourceTransformers;
import dev.keelson.storage.object.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Finds the types with objects that a reloaded configuration cannot decrypt. The watch cache has
 * such objects from the time before, so it must not answer for them: whoever removes a key sees
 * what a restarted server would say, as with kube-apiserver, which reads single objects from the
 * store.
 *
 * <p>Types that were found are looked at again every minute, since their objects can be removed or
 * repaired. Used by one thread.
 */
public final class DecryptionCheck {

  private static final Logger LOG = Logger.getLogger(DecryptionCheck.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ResourceCatalog catalog;
  private final ObjectStore objects;
  private final InstantSource clock;
  private final Consumer<Set<String>> unreadable;

  /** The types that were found, by their key prefixes. */
  private final Map<String, StoredType> found = new LinkedHashMap<>();

  private Instant checked = Instant.MIN;

  /**
   * A check of the objects of a server.
   *
   * @param unreadable takes the key prefixes of all types that cannot be read, whenever these have
   *     been looked for
   */
  public DecryptionCheck(
      ResourceCatalog catalog,
      ObjectStore objects,
      InstantSource clock,
      Consumer<Set<String>> unreadable) {
    this.catalog = catalog;
    this.objects = objects;
    this.clock = clock;
    this.unreadable = unreadable;
  }

  /** Reads every object whose transformer is another one; blocks. */
  public void replaced(ResourceTransformers before, ResourceTransformers after) {
    Map<String, StoredType> types = new LinkedHashMap<>();
    for (ResourceDefinition definition : catalog.snapshot().all()) {
      StoredType type = definition.storage();
      // old groups share the keys of the storage group, whose transformer counts
      if (type != null
          && type.kind().group().equals(definition.gvr().group())
          && before.of(definition.groupResource()) != after.of(definition.groupResource())) {
        types.put(type.keyPrefix(), type);
      }
    }
    look(types);
  }

  /** Looks again at the types that cannot be read, if it is time. */
  public void again() {
    if (!found.isEmpty() && Duration.between(checked, clock.instant()).compareTo(INTERVAL) >= 0) {
      look(Map.copyOf(found));
    }
  }

  private void look(Map<String, StoredType> types) {
    types.forEach(
        (keyPrefix, type) -> {
          if (readable(type)) {
            found.remove(keyPrefix);
          } else {
            found.put(keyPrefix, type);
          }
        });
    checked = clock.instant();
    unreadable.accept(found.keySet());
  }

  private boolean readable(StoredType type) {
    try {
      long unused = objects.list(type, "", entry -> {});
      return true;
    } catch (StorageException.Transformation e) {
      LOG.warnf(
          "event=objects-not-decryptable type=%s error=%s; reads of the type go to the store",
          type.keyPrefix(), e.getMessage());
      return false;
    } catch (StorageException e) {
      LOG.warnf("event=decryption-not-checked type=%s error=%s", type.keyPrefix(), e.getMessage());
      return !found.containsKey(type.keyPrefix());
    }
  }
}
