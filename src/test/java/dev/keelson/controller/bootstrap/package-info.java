/** Tests of what every cluster has from its start. */
@NullMarked
package dev.keelson.controller.bootstrap;

import org.jspecify.annotations.NullMarked;
