/**
 * The links in what a proxied server answers: redirects, and the attributes of HTML pages, lead to
 * the proxy again. Knows URLs, HTML and content codings; which server, and who may ask it, is
 * decided by {@code http.node}. Begin with {@link dev.keelson.http.page.Links}.
 */
@NullMarked
package dev.keelson.http.page;

import org.jspecify.annotations.NullMarked;
