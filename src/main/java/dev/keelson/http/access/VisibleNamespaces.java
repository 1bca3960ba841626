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
 * Answers which namespaces the caller may see, in one call: those that the caller may get, and
 * those in which a role binding gives the caller anything. Every user has a collection of their
 * own, which can be read, listed and watched; nobody can write it.
 *
 * <p>The resourceVersion of the collection is the store's revision that it shows. A watch goes on
 * from there if no namespace, role or binding has changed since; else it is told Expired and the
 * client lists again, since what a user saw in the past is kept nowhere.
 */
public final class VisibleNamespaces implements VirtualResource {

  /** What it is served as. */
  public static final GroupResource RESOURCE =
      new GroupResource("access.keelson.dev", "visiblenamespaces");

  private final NamespaceSource directory;
  private final NamespaceVisibility sight;

  /** The view on {@code directory} that {@code authorizer} allows. */
  public VisibleNamespaces(NamespaceSource directory, Authorizer authorizer) {
    this.directory = directory;
    sight = new NamespaceVisibility(directory, authorizer);
  }

  @Override
  public ApiObject answer(Request request) {
    NamespaceVisibility.View view = newest(request);
    ApiObject found = view.byName().get(request.info().name());
    if (found == null) {
      // whether there is such a namespace is not told
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
