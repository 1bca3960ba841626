/**
 * The console's side of the server: its files, and sessions, in which a browser is signed in by an
 * encrypted cookie that holds the user's token. Knows HTTP and authentication; the page itself is
 * in {@code src/main/console} and uses the API as every client does. Begin with {@link
 * dev.keelson.http.console.ConsoleHandler}.
 */
@NullMarked
package dev.keelson.http.console;

import org.jspecify.annotations.NullMarked;
