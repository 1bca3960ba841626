package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Node.MapNode;

/**
 * A configuration that a client applies (server-side apply).
 *
 * @param root the configuration as it was written, in the version of the request
 * @param manager the field manager
 * @param subresource through which it is applied, or empty
 * @param force whether to take fields from other managers
 */
public record AppliedConfiguration(
    MapNode root, String manager, String subresource, boolean force) {}
