package dev.keelson.http.access;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.authz.Authorizer;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery.Start;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The resource visiblenamespaces: the namespaces that the caller may get, and those in which a
 * RoleBinding grants the caller anything. Every user has their own read-only collection with get,
 * list and watch.
 *
 * <p>The resourceVersion of the collection is the store's revision. A watch continues from it if no
 * namespace, role or binding has changed since; otherwise it gets Expired and the client lists
 * again, since past states are not stored.
 */
public final class VisibleNamespaces implements VirtualResource {

  /** The resource. */
  public static final GroupResource RESOURCE =
      new GroupResource("access.keelson.dev", "visiblenamespaces");

  private final NamespaceSource directory;
  private final NamespaceVisibility sight;

  /** Creates the resource from {@code directory}, filtered by {@code authorizer}. */
  public VisibleNamespaces(NamespaceSource directory, Authorizer authorizer) {
    this.directory = directory;
    sight = new NamespaceVisibility(directory, authorizer);
  }

  @Override
  public ApiObject answer(Request request) {
    NamespaceVisibility.View view = newest(request);
    ApiObject found = view.byName().get(request.info().name());
    if (found == null) {
      // does not reveal whether the namespace exists
      throw ApiException.notFound(RESOURCE, request.info().name());
    }
    return NamespaceVisibility.at(view.revision(), found);
  }

  @Override
  public Objects list(Request request) {
    NamespaceVisibility.View view = newest(request);
    List<ApiObject> objects = new ArrayList<>();
    view.byName()
        .values()
        .forEach(object -> objects.add(NamespaceVisibility.at(view.revision(), object)));
    return new Objects(objects, view.revision());
  }

  private NamespaceVisibility.View newest(Request request) {
    directory.await(ReadVersion.NEWEST);
    return sight.look(request.context().user());
  }

  @Override
  public ObjectWatch watch(Request request, ListQuery selection, Start start, Runnable wake) {
    VirtualResource.checkFields(selection);
    UserInfo user = request.context().user();
    switch (start) {
      case Start.Objects objects -> directory.await(objects.state());
      case Start.Now _ -> directory.await(ReadVersion.ANY);
      case Start.After after -> directory.await(new ReadVersion.NotOlderThan(after.revision()));
    }
    NamespaceWatch watch =
        new NamespaceWatch(request.definition(), () -> sight.look(user), selection, wake);
    watch.begin(directory, start instanceof Start.Objects);
    if (start instanceof Start.After after && directory.lastChange() > after.revision()) {
      watch.close();
      throw ObjectWatch.expired();
    }
    return watch;
  }
}
