/**
 * Sessions of kubectl as text: what a user types and what is printed. The files are in {@code
 * src/test/resources/sessions}, where README.md describes the format. For {@code
 * KubectlSessionsIT}; begin with {@link dev.keelson.blackbox.session.Session}.
 */
@NullMarked
package dev.keelson.blackbox.session;

import org.jspecify.annotations.NullMarked;
