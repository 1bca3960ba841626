/**
 * What the native executable has in place of parts of Hibernate and Flyway that the trail does not
 * use and that could not be linked, since they need libraries that are not there. Not used on the
 * JVM.
 */
@NullMarked
package dev.keelson.audit.trail.postgresql.image;

import org.jspecify.annotations.NullMarked;
