/**
 * The controllers of service accounts, of the CA ConfigMap and of token Secrets. Begin with {@link
 * dev.keelson.controller.serviceaccount.NamespaceDefaults}.
 */
@NullMarked
package dev.keelson.controller.serviceaccount;

import org.jspecify.annotations.NullMarked;
