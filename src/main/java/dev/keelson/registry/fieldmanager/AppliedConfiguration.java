package dev.keelson.registry.fieldmanager;

import dev.keelson.object.Node.MapNode;

/**
 * What a client applies to an object (server-side apply).
 *
 * @param root the configuration as it was written, in the version of the request
 * @param manager whose configuration it is
 * @param subresource through which it is applied, or empty
 * @param force whether fields of other managers are taken from them
 */
public record AppliedConfiguration(
    MapNode root, String manager, String subresource, boolean force) {}
