/**
 * The commands that work on a store without a server: backup, restore, check and copy. They know
 * the stores and how objects are encoded; begin with {@link dev.keelson.server.tool.StoreTool}.
 */
@NullMarked
package dev.keelson.server.tool;

import org.jspecify.annotations.NullMarked;
