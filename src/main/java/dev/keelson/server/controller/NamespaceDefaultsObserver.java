package dev.keelson.server.controller;

import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.WatchCache;
import java.util.List;

/** Tells of every change of what each namespace must have, from the stream of all changes. */
public final class NamespaceDefaultsObserver implements WatchCache.Observer {

  /** Objects of one type that have one name. */
  private record Named(Bytes prefix, String name) {}

  private final NamespaceDefaults defaults;
  private final List<Named> kept;

  /**
   * Not yet observing.
   *
   * @param accounts how service accounts are stored
   * @param maps how ConfigMaps are stored
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
          defaults.disturbed(rest.substring(0, rest.indexOf('/')));
        }
      }
    }
  }

  /** What is made for the first time needs no look; as a rule this server made it itself. */
  private static boolean isNew(Change change) {
    return change instanceof Change.Put put
        && put.entry().createRevision() == put.entry().modRevision()
        && put.previous() == null;
  }

  @Override
  public void lost() {
    defaults.allDisturbed();
  }
}
