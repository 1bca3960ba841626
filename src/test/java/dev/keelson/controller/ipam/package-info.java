/** Tests of the blocks of nodes. */
@NullMarked
package dev.keelson.controller.ipam;

import org.jspecify.annotations.NullMarked;
