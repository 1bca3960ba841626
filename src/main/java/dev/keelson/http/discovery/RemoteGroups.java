package dev.keelson.http.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.GroupPriority;
import java.util.Optional;
import java.util.Set;

/**
 * The group versions that other servers serve, and the order of all. Safe for use by several
 * threads; never waits for another server.
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
        public Set<GroupVersion> versions() {
          return Set.of();
        }

        @Override
        public GroupPriority priority(GroupVersion version) {
          return GroupPriority.of(version);
        }

        @Override
        public Optional<MapNode> discovery(GroupVersion version) {
          return Optional.empty();
        }
      };

  /** Increases with every change of what the other methods return. */
  long generation();

  /** The remote group versions. */
  Set<GroupVersion> versions();

  /** The place of a group version, remote or not. */
  GroupPriority priority(GroupVersion version);

  /** The APIVersionDiscovery of a remote group version; empty for a local one. */
  Optional<MapNode> discovery(GroupVersion version);
}
