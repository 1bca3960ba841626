/**
 * Hostile clients, each of one class, and the one that behaves beside them. Begin with {@link
 * dev.keelson.blackbox.attack.Attacks}; {@code HostileClientsIT} plays them.
 */
@NullMarked
package dev.keelson.blackbox.attack;

import org.jspecify.annotations.NullMarked;
