package dev.keelson.controller.storage;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Supplies changes of attributes classes, claims and volumes, and the pods of a namespace. */
public interface ProtectionSource {

  /**
   * The kinds of objects that are protected. Classes are first: the claims and volumes that are
   * passed after them are at least as new.
   */
  enum Kind {
    CLASSES(new GroupVersion("storage.k8s.io", "v1").resource("volumeattributesclasses")),
    CLAIMS(GroupVersion.CORE_V1.resource("persistentvolumeclaims")),
    VOLUMES(GroupVersion.CORE_V1.resource("persistentvolumes"));

    /** A record of texts. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final GroupVersionResource resource;

    Kind(GroupVersionResource resource) {
      this.resource = resource;
    }

    /** The API resource. */
    public GroupVersionResource resource() {
      return resource;
    }
  }

  /** Adds a listener that runs on any thread after changes of the protected objects. */
  void listen(Runnable changed);

  /** Passes the changes since the last call to {@code sink}, all objects on the first call. */
  void catchUp(ObjectSink<Kind> sink);

  /**
   * Adds a listener that gets the namespace of each pod that was deleted or changed, on the thread
   * of the feed: it must not block. It gets an empty text when changes were lost.
   */
  void listenToPods(Consumer<String> changed);

  /** Returns the stored pods of a namespace; each is decoded when it is asked for. */
  List<Supplier<ApiObject>> pods(String namespace);
}
