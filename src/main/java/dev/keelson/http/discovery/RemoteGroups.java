package dev.keelson.http.discovery;

import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;

/**
 * What the APIServices change in discovery: the group versions that other servers serve, and the
 * order of all. Safe for use by several threads; never waits for another server.
 */
public interface RemoteGroups {

  /** This server serves everything. */
  RemoteGroups NONE =
      new RemoteGroups() {
        @Override
        public long generation() {
          return 0;
        }

        @Override
        public ApiServices.Snapshot services() {
          return ApiServices.Snapshot.LOCAL;
        }

        @Override
        public Optional<MapNode> discovery(GroupVersion version) {
          return Optional.empty();
        }
      };

  /** Increases with every change of what the other methods return. */
  long generation();

  /** The APIServices now. */
  ApiServices.Snapshot services();

  /** The APIVersionDiscovery of a remote group version; empty for a local one. */
  Optional<MapNode> discovery(GroupVersion version);
}
