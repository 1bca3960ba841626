/**
 * The z-pages: {@code /statusz} and {@code /flagz}, as text for people and as objects of {@code
 * config.k8s.io} for programs. Begin with {@link dev.keelson.server.page.ZPages}.
 */
@NullMarked
package dev.keelson.server.page;

import org.jspecify.annotations.NullMarked;
