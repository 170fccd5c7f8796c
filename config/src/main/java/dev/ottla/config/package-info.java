/// Every configuration key, declared once.
@NullMarked
package dev.ottla.config;

import org.jspecify.annotations.NullMarked;
