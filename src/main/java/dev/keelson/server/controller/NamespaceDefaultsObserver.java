package dev.keelson.server.controller;

import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.WatchCache;
import java.util.List;

/** Observes changes of the default service accounts and CA ConfigMaps. */
public final class NamespaceDefaultsObserver implements WatchCache.Observer {

  /** The objects of one type with one name. */
  private record Named(Bytes prefix, String name) {}

  private final NamespaceDefaults defaults;
  private final List<Named> kept;

  /**
   * @param accounts the stored type of service accounts
   * @param maps the stored type of ConfigMaps
   */
  public NamespaceDefaultsObserver(
      NamespaceDefaults defaults, KeyLayout layout, StoredType accounts, StoredType maps) {
    this.defaults = defaults;
    this.kept =
        List.of(
            new Named(layout.range(accounts, "").start(), NamespaceDefaults.ACCOUNT),
            new Named(layout.range(maps, "").start(), NamespaceDefaults.AUTHORITIES));
  }

  @Override
  public void changed(List<Change> changes) {
    for (Change change : changes) {
      for (Named named : kept) {
        if (change.key().startsWith(named.prefix)
            && ObjectStore.name(change.key()).equals(named.name)
            && !isNew(change)) {
          String rest = change.key().utf8().substring(named.prefix.utf8().length());
          defaults.invalidate(rest.substring(0, rest.indexOf('/')));
        }
      }
    }
  }

  /** Creates are ignored; usually this server made them. */
  private static boolean isNew(Change change) {
    return change instanceof Change.Put put
        && put.entry().createRevision() == put.entry().modRevision()
        && put.previous() == null;
  }

  @Override
  public void lost() {
    defaults.invalidateAll();
  }
}
