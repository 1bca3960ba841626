package dev.keelson.client;

import dev.keelson.api.GroupResource;
import dev.keelson.object.ApiObject;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Feeds changes of quotas, and those changes of other objects that may lower their usage. */
public interface QuotaFeed {

  /** Takes the changes in order, on the thread of the feed; must not block. */
  interface Listener {

    /**
     * A quota was created, changed or deleted.
     *
     * @param object decodes the stored quota, with its resourceVersion; empty if it was deleted
     */
    void quotaChanged(String namespace, String name, Supplier<Optional<ApiObject>> object);

    /** Whether changes of other objects in a namespace are wanted. */
    boolean follows(String namespace);

    /** Whether changes of other objects in any namespace are wanted. */
    boolean follows();

    /** Whether updates of a resource are wanted. */
    boolean followsUpdates(GroupResource resource);

    /** An object was deleted. */
    void deleted(GroupResource resource, String namespace);

    /** An object was updated. */
    void updated(GroupResource resource, String namespace, Update update);

    /**
     * Resources are served that were not, or in another way.
     *
     * @param resources their names, of all versions
     */
    void typesAdded(Set<GroupResource> resources);

    /** Changes were lost. */
    void lost();
  }

  /** The states of an updated object, which are decoded when they are asked for. */
  interface Update {

    /** The object before the update; empty if it is not known. */
    Optional<ApiObject> before();

    /** The object after the update. */
    ApiObject after();
  }

  /** Adds the listener, which gets every change after this call returns. */
  void follow(Listener listener);
}
